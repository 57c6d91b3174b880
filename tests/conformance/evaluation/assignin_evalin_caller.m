function put(), assignin('caller', 'made', 42); v = evalin('caller', 'base_value'); disp(v); end
base_value = 7; put(); disp(made);
