package trim

// path follows fields, the last of which may be a method with arguments.
func (a *analysis) path(v value, names []string, args []argument) value {
	for i, name := range names {
		if i == len(names)-1 {
			return a.field(v, name, args)
		}
		v = a.field(v, name, nil)
	}
	return v
}

// field is what a field or a method of a value gives.
func (a *analysis) field(v value, name string, args []argument) value {
	result := value{}
	for t := range v {
		switch t.kind {
		case files:
			result.add(a.filesMethod(t.chart, name, args))
			continue
		case globbed:
			result[of(fileText, t.chart)] = true
			if name == "Glob" {
				result[t] = true
			}
			continue
		case context:
			a.contextMethod(t, name, result)
		case data:
			result[t] = true
		}
		result.add(a.fields[t][name])
		result.add(a.fields[t][anyKey])
	}
	for _, arg := range args {
		a.observe(arg.value) // whatever the method is, it can look into it
	}
	return result
}

// contextMethod knows the methods that a context has besides its fields.
func (a *analysis) contextMethod(t thing, name string, result value) {
	switch name {
	case "AsMap":
		result[t] = true
	case "YAML", "Encode", "Table", "PathValue":
		a.observe(setOf(t))
	case "Files", "Subcharts":
	default:
		result.add(something)
	}
}

// filesMethod remembers which files a call reads.
func (a *analysis) filesMethod(chart int, name string, args []argument) value {
	switch name {
	case "Get", "GetBytes", "Lines":
		a.readByName(chart, args)
	case "Glob":
		if patterns, known := only(args); known {
			a.remember(a.globs, chart, patterns...)
			return setOf(of(globbed, chart))
		}
		a.touch(setOf(of(files, chart)))
	case "AsConfig", "AsSecrets":
		a.touch(setOf(of(files, chart)))
	default:
		a.remember(a.names, chart, name)
	}
	return setOf(of(fileText, chart))
}

// only gives the strings that a single argument may be.
func only(args []argument) ([]string, bool) {
	if len(args) != 1 {
		return nil, false
	}
	return args[0].value.words()
}

// readByName takes names that are known, or one that a pattern found.
func (a *analysis) readByName(chart int, args []argument) {
	names, known := only(args)
	switch {
	case known:
		a.remember(a.names, chart, names...)
	case len(args) == 1 && len(args[0].value) == 1 && args[0].value[of(fileName, chart)]:
	default:
		a.touch(setOf(of(files, chart)))
	}
}

func (a *analysis) remember(where map[int]map[string]bool, chart int, names ...string) {
	if where[chart] == nil {
		where[chart] = map[string]bool{}
	}
	for _, name := range names {
		if !where[chart][name] {
			where[chart][name], a.changed = true, true
		}
	}
}
