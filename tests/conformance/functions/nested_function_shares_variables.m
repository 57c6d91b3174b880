% oracle: Octave has no nested functions in scripts
% dialect: matlab
disp(outer(3));
function r = outer(n)
    total = 0;
    for k = 1:n, bump(k); end
    r = total;
    function bump(k2)
        total = total + k2;
    end
end
