% dialect: matlab
% oracle: Octave has no tables
T = table([1; 2], ["a"; "b"], 'VariableNames', {'X', 'Y'}); T.Properties
T.Properties.VariableTypes(1) = "single"; class(T.X), class(T.Properties)
T = addprop(T, {'Src', 'Prec'}, {'table', 'variable'}); T.Properties.CustomProperties.Src = 'file'; T.Properties
TT = timetable(seconds(0:2)', [1; 2; 3]); TT.Properties
