% dialect: matlab
% oracle: Octave has no tables; functions are no members of them
T = table([1; 2], [3; 4], 'VariableNames', {'a', 'sum'});
disp(T.sum'); disp(T.Properties.VariableNames);
for name = {'i', 'mean', 'height', 'zzz'}
    try, T.(name{1}), catch e, disp(e.message), end
end
try, T.sortrows('a'), catch e, disp(e.identifier), end
T.mean = [5; 6]; disp(T.mean');
x = timetable(seconds([1; 2]), [7; 8]); try, x.sum, catch e, disp(e.message), end, disp(seconds(x.Time)');
