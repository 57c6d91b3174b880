s = 'abc';
s(5) = 'e'; disp(double(s));
s(1) = 65; class(s)
