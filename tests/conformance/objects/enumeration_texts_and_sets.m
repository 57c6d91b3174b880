% dialect: matlab
% oracle: Octave has no enumerations
addpath('support'), f = Day(["Monday" "Sunday"]); disp(f), g = Day({'monday'; 'Sunday'}); disp(size(g)), disp(Color([1 4]))
try, Day({'Monday', 'No'}), catch e, disp(e.message), end
disp(strcmp(f, 'Monday')), disp(strcmpi(f, 'MONDAY')), disp(strncmp(f, "Mon", 3)), disp(f == "Sunday"), disp(f == {'Monday', 'Sunday'})
disp(union(Day.Monday, Day.Sunday)), disp(setdiff(f, 'Monday')), [m, k] = intersect(f, Day.Sunday); disp(m), disp(k), disp(unique([f f], 'stable'))
switch f(1), case {'Sunday', "Monday"}, disp('text'), end, switch 'Sunday', case f(2), disp('member'), end
disp(isenum(f)), disp(isenum('Monday')), f(1) = "Sunday"; disp(f)
