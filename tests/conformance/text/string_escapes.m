% oracle: double quotes keep backslashes in MATLAB
% dialect: matlab
s = "a\nb"; disp(strlength(s)); disp("say ""hi"""); disp(newline + "x"); fprintf("a\tb\n");
