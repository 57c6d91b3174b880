% oracle: classes
addpath('support'); disp(Thermo.ZERO); t = Thermo.fromKelvin(300); disp(round(t.Celsius)); try, Thermo.ZERO = 5; clear Thermo; catch, disp('constant'), end
