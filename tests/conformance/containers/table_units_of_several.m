% oracle: Octave has no tables
% units and descriptions follow the variables of tables that are put together
a = table([1;2], [10;20], 'VariableNames', {'k','mass'});
a.Properties.VariableUnits = {'', 'kg'};
b = table([1;2], [5;6], 'VariableNames', {'k','speed'});
b.Properties.VariableUnits = {'', 'm/s'};
b.Properties.VariableDescriptions = {'key', 'how fast'};
w = [a b(:, 'speed')];
disp(w.Properties.VariableUnits), disp(w.Properties.VariableDescriptions)
w.extra = [7; 8];
disp(w.Properties.VariableUnits)
n = [table([3;4], 'VariableNames', {'n'}) a];
disp(n.Properties.VariableUnits)
disp(innerjoin(a, b).Properties.VariableUnits)
disp(outerjoin(a, b, 'MergeKeys', true).Properties.VariableUnits)
disp(join(a, b).Properties.VariableUnits)
t = timetable(datetime(2023,1,[1;2]), [10;15], 'VariableNames', {'n'});
t.Properties.VariableUnits = {'mm'};
s = synchronize(t, timetable(datetime(2023,1,[1;2]), [5;6], 'VariableNames', {'q'}));
s.ratio = s.n ./ s.q;
disp(s.Properties.VariableUnits)
disp(timetable2table(t).Properties.VariableUnits)
disp(timetable2table(t, 'ConvertRowTimes', false).Properties.VariableUnits)
