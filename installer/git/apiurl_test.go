package git

import "testing"

func TestNormalAPIURL(t *testing.T) {
	for _, test := range []struct{ provider, given, want string }{
		{"github", "https://api.github.com/", "https://api.github.com"},
		{"github", "https://github.com", "https://api.github.com"},
		{"gitlab", "https://gitlab.com", "https://gitlab.com/api/v4"},
		{"bitbucket", "https://bitbucket.org/api/2.0", "https://bitbucket.org/api/2.0"},
		{"github-enterprise", "https://ghe.example.com", "https://ghe.example.com/api/v3"},
		{"github-enterprise", "https://ghe.example.com:8443/", "https://ghe.example.com:8443/api/v3"},
		{"github-enterprise", "https://ghe.example.com/api/v3/", "https://ghe.example.com/api/v3"},
		{"github-enterprise", "https://api.acme.ghe.com/", "https://api.acme.ghe.com"},
		{"gitlab-server", "https://gl.example.com", "https://gl.example.com/api/v4"},
		{"gitlab-server", "https://gl.example.com/gitlab/", "https://gl.example.com/gitlab/api/v4"},
		{"gitlab-server", "https://gl.example.com/gitlab/api/v4", "https://gl.example.com/gitlab/api/v4"},
		{"gitlab-server", "https://gl.example.com/api/v4?ref=b#x", "https://gl.example.com/api/v4"},
		{"bitbucket-server", "https://bb.example.com/", "https://bb.example.com"},
		{"bitbucket-server", "https://bb.example.com/rest/api/1.0", "https://bb.example.com"},
		{"bitbucket-server", "https://bb.example.com/code/rest/api/latest/", "https://bb.example.com/code"},
		{"bitbucket-server", "https://bb.example.com/rest", "https://bb.example.com"},
		{"bitbucket-server", "https://bb.example.com/interest", "https://bb.example.com/interest"},
		{"gitlab-server", "https://ada:tok3n@gl.example.com", "https://ada:tok3n@gl.example.com/api/v4"}, // refused later
		{"gitlab-server", "gl.example.com", "gl.example.com"},
		{"gitlab-server", "https://gl.example.com\x00", "https://gl.example.com\x00"},
		{"", "https://git.example.com/x/", "https://git.example.com/x"},
	} {
		p, _ := ProviderByID(test.provider)
		got := p.NormalAPIURL(test.given)
		if got != test.want {
			t.Errorf("%s %q became %q, want %q", test.provider, test.given, got, test.want)
		}
		if again := p.NormalAPIURL(got); again != got {
			t.Errorf("%s %q becomes another, %q", test.provider, got, again)
		}
	}
}
