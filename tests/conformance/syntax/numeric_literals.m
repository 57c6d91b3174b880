% oracle: complex numbers are displayed in MATLAB form
disp(1e3); disp(.5); disp(5.); disp(1E-2); disp(0x1F); disp(0b101); disp(1e+2); disp(3i); disp(2.5e-1j); x = 1.e1; disp(x); disp(1.'); disp(1:3.'); disp(0xFFu8); disp(class(0xFFu8)); disp(1d2);
