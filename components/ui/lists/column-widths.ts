/** Classes of columns that narrow screens leave out. */
export const FROM_SM = "hidden sm:table-cell";
export const FROM_LG = "hidden lg:table-cell";
