% Octave's dialect: integers go with arrays of doubles, element by element; integers of two classes do not.
a = uint8([1 2]) .* [1.5 2.6], class(a)
disp([1.5 2.6] - uint8([1; 2])), disp(int8([100 100]) + [50.4 -3]), disp(int32([7 8]) ./ [2 0])
x = uint8([1 2 3]); y = [2 2 100]; for k = 1:3, z = x .* y + k; end, disp(z), disp(class(z))
s.v = int16([1 2; 3 4]); disp(s.v .* [0.5 1; 1 2]), disp(s.v + single([0.5 1.5; 1 1]))
f = @(p, q) p - q; disp(f(uint8([5 6]), [1 7])), disp(cellfun(@(p) sum(p .* [1 2]), {uint8([1 2]), [3 4]}, 'UniformOutput', false){2})
try, uint8([1 2]) + int8([1 2]), catch, disp('two classes'), end
try, uint8([1 2]) + [1i 2], catch, disp('complex'), end
disp(max(uint8([1 200]), [3 4])), disp(bitand(uint8([12 10]), [10 12]))
