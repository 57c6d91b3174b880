d = dictionary([1 2], {1 3});
d{1}(2) = 7;
disp(d{1})
try
    d{1:2}(1) = 1;
catch e
    disp(e.message)
end
% a store that fails leaves an array of structs as long as it was
s = struct('a', {1, 2});
try
    s(5).a{0} = 1;
catch e
    disp(e.message)
end
disp(size(s))
s(4).a{2} = 'x';
disp(size(s)), disp(class(s(3).a)), disp(s(4).a{2})
