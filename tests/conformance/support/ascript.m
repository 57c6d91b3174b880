script_result = script_input * 2;
script_extra = 'made by script';
