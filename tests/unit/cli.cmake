unit_test(options LINK cli)
unit_test(request LINK cli)
unit_test(help LINK cli)
unit_test(timeline_name LINK cli)
