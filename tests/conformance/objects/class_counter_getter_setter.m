% oracle: classes
addpath('support'); t = Thermo(); t.Celsius = 100; disp(t.Fahrenheit); t.Fahrenheit = 32; disp(t.Celsius); try, t.Celsius = -300; catch e, disp(e.message), end
disp(t.Celsius);
