% oracle: rows of different lengths are an error
% dialect: matlab
try, ['ab'; 'cde'], catch, disp('lengths differ'), end
strvcat('ab', 'cde')
