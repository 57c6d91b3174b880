% dialect: matlab
% Arrays of more than two dimensions are not divided by matrices, sparse ones included
S = {sparse([1 0; 0 2]), sparse([1 1; 0 2]), sparse([1 2; 3 4])};
for k = 1:3
    try, ones(2, 3, 2) / S{k}, catch e, disp(e.message), end
    try, ones(2, 2, 2) / S{k}, catch e, disp(e.message), end
    try, S{k} \ ones(2, 3, 2), catch e, disp(e.message), end
    try, ones(2, 2, 2) \ S{k}, catch e, disp(e.message), end
end
disp(full(S{2} \ [2; 2]))
