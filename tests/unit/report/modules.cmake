unit_test(timeline_name LINK report)
