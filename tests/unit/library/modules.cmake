unit_test(library_annotation LINK library)
unit_test(library_export LINK library)
unit_test(library_profile LINK library)
unit_test(library_sampling LINK library)
