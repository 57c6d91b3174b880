% dialect: matlab
% oracle: integer matrices are divided by scalars only in MATLAB
for f = {@() int8([1 2; 3 4]) \ int8([1; 2]), @() int8([1 2; 3 4]) / [1 2], @() int8([1 2; 3 4])^2, ...
        @() fft2(ones(3), 5), @() sparse(1.5, 1, 1), @() histc(1:3, [3 1 2]), @() gradient('a', [1+2i 3]), ...
        @() cond([1 2; 3 4], 'rows'), @() pause('loud'), @() vertcat(1, table(1)), @() [table(1) 2]}
    try
        f{1}()
    catch e
        disp(e.message)
    end
end
isreal(ifft([5; 7], 3)), isreal(ifft(fft([1 2 3 4]))), isreal(ifft(fft([1 2 3]), 2)), isreal(ifft2(magic(3), 3, 2))
strfind([1 -2 3 1 -2], [1 -2]), size(ones(2, 3, 4), int8([1 3])), norm([3 4], 0), bin2dec('')
jet(5), hot(3), bone(2), class(flag(2)), pink(2)
n = hist(gca, [1 2 2 3], 2), n = hist([1 2 2 3], 2, 1)
