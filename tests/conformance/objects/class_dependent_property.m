% oracle: classes
addpath('support'); t = Thermo(); disp(t.Fahrenheit); t.Celsius = 10; disp(t.Fahrenheit); disp(ismember('Fahrenheit', properties(t)));
