% a field of an empty text makes a struct of it, as of an empty array, also inside of other variables
x = ''; x.a = 1; disp(x)
x = ''; x.a.b = 2; disp(x.a)
s.c = ''; s.c.a = 3; disp(s.c)
c = {''}; c{1}.a = 4; disp(c{1})
x = ''; x(2).a = 5; disp(size(x))
x = 'text'; try, x.a = 7; catch, disp(x), end
x = 'text'; try, x(2).a = 7; catch, disp(x), end
x = filled(''); disp(x)
function x = filled(x)
for k = 1:3
    x.a = k;
end
end
