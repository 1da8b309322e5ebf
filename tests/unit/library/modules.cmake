unit_test(library_annotation LINK library)
unit_test(library_export LINK library)
unit_test(library_profile LINK library)
