% oracle: Octave has neither TextType nor dates in textscan, and other words in its errors
% A field that is no number ends the reading, or is an error; texts, dates and categories are columns of their classes.
t = sprintf('1,2\n3,x\n5,6');
c = textscan(t, '%f%f', 'Delimiter', ',');
disp([numel(c{1}) numel(c{2})])
try, textscan(t, '%f%f', 'Delimiter', ',', 'ReturnOnError', false), catch e, disp(e.message), end
try, textscan(t, '%f%f', 'Delimiter', ',', 'ReturnOnError', 'rubbish'), catch e, disp('refused'), end
c = textscan('a b', '%s', 'TextType', 'string'); disp(class(c{1}))
c = textscan('1p3 4', '%f', 'ExpChars', 'p'); disp(c{1}')
c = textscan('2020-01-02,a,01:30:00', '%{yyyy-MM-dd}D%C%T', 'Delimiter', ',');
disp(c{1} == datetime(2020, 1, 2)), disp(c{2} == 'a'), disp(hours(c{3}))
