// Renders the templates of a chart without Helm, for tests on machines that do not have it. The template language, Sprig
// and the YAML library are the ones that Helm uses; include, required, toYaml, fromYaml and the built-in objects are written after
// Helm's documentation. Of Files it knows Get. It does not know subcharts, tpl, lookup or Capabilities.
//
//	render <chart folder> <release> <namespace>   with {"Values": …, "Chart": …} as JSON on stdin
//
// It prints a JSON object: the text of each template by its name.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, release, namespace string) error {
	context := map[string]interface{}{}
	if err := json.NewDecoder(os.Stdin).Decode(&context); err != nil {
		return err
	}
	context["Release"] = map[string]interface{}{"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1}
	context["Files"] = files(folder)
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	if err != nil {
		return err
	}
	templates, err := parse(paths)
	if err != nil {
		return err
	}
	rendered := map[string]string{}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		if err := templates.ExecuteTemplate(&text, name, context); err != nil {
			return err
		}
		// A field that a value does not have prints nothing, as in Helm.
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	return json.NewEncoder(os.Stdout).Encode(rendered)
}

// files is a chart folder, as templates see it.
type files string

// Get returns the text of a file of the chart, or nothing if there is none.
func (folder files) Get(name string) string {
	text, err := os.ReadFile(filepath.Join(string(folder), name))
	if err != nil {
		return ""
	}
	return string(text)
}

func parse(paths []string) (*template.Template, error) {
	templates := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	templates.Funcs(template.FuncMap{
		"include": func(name string, data interface{}) (string, error) {
			var text bytes.Buffer
			err := templates.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
		"required": func(message string, value interface{}) (interface{}, error) {
			if value == nil || value == "" {
				return nil, fmt.Errorf("%s", message)
			}
			return value, nil
		},
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
		"fromYaml": func(text string) (map[string]interface{}, error) {
			value := map[string]interface{}{}
			err := yaml.Unmarshal([]byte(text), &value)
			return value, err
		},
	})
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if _, err := templates.New(filepath.Base(path)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	return templates, nil
}
