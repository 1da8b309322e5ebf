unit_test(library_profile LINK library)
