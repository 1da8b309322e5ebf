// SPDX-License-Identifier: Apache-2.0

#include "base/file/remote_path.h"

#include "base/text/ascii.h"

// "\\server\share" is the name of a file elsewhere (UNC), and so are the verbatim forms of
// Microsoft's "Naming Files, Paths, and Namespaces" unless they begin with a drive. When in doubt,
// a path is remote: what a drive letter stands for is the user's choice, but not what a program
// writes into its debug information.

static bool remote_path_is_separator(char c)
{
	return c == '/' || c == '\\';
}

bool path_is_remote(const char *path)
{
	if (!remote_path_is_separator(path[0]))
		return false;
	// "\\?\" turns off the reading of paths, and "\??\" is how the kernel calls the same place.
	bool is_verbatim = (remote_path_is_separator(path[1]) || path[1] == '?') &&
			   path[2] == '?' && remote_path_is_separator(path[3]);
	if (is_verbatim) {
		// Of these, only a drive and its root ("C:\") are on this machine.
		char drive = ascii_lower(path[4]);
		return drive < 'a' || drive > 'z' || path[5] != ':' ||
		       !remote_path_is_separator(path[6]);
	}
	return remote_path_is_separator(path[1]);
}
