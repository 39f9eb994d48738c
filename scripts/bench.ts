import "#bench/main";
