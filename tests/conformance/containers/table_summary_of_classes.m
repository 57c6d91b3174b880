% dialect: matlab
% oracle: Octave has no tables
T = table([38; 43; NaN], {'a'; 'b'; 'c'}, [true; false; true], categorical({'u'; 'v'; 'u'}), datetime(2020, 1, 1:3)', [1.5 2.5; 3 4; 5 6], int8([1; 2; 3]));
summary(T)
s = summary(T); s.Var1, s.Var3.True, s.Var4.Counts
A = [1 2; 3 NaN]; summary(A)
TT = timetable(seconds(1:2)', [1; 2]); summary(TT)
