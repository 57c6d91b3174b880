%{
block comment
%}
x = [1, 2, ... comment
     3];
disp(x); % trailing
y = 1 + ...
    2; disp(y);
# hash
%% cell title
disp('end');
