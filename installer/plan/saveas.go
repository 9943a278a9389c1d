package plan

// SavedForm is something that a plan can be saved as.
type SavedForm struct{ Name, Meaning, extension string }

const answersForm = "answers"

// SavedForms are the answers, and every printed form of the plan.
func SavedForms() []SavedForm {
	extensions := map[string]string{"command": ".sh", "values": ".values.yaml", "terraform": ".tf", "terraform-v2": ".v2.tf", "json": ".json"}
	forms := []SavedForm{{answersForm, "the answers, for cfwizard itself", ".answers.yaml"}}
	for _, form := range Forms {
		extension := extensions[form.Name]
		if extension == "" {
			extension = "." + form.Name + ".yaml"
		}
		forms = append(forms, SavedForm{form.Name, form.Meaning, extension})
	}
	return forms
}

// File is the name to save the form under, and what to write. No form holds a
// secret.
func (f SavedForm) File(p Plan) (name string, data []byte, err error) {
	if f.Name == answersForm {
		data, err = p.Answers().Write()
	} else {
		data, err = p.Print(f.Name)
	}
	return p.Release + f.extension, data, err
}
