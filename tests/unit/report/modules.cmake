unit_test(sample_choice LINK report)
unit_test(record_files LINK report)
unit_test(timeline_name LINK report)
unit_test(stat_trace LINK report)
