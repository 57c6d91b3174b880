% dialect: matlab
% oracle: Octave has no datetime
t = datetime(2024, 2, 28, 22, 30, 0)
t + days(1), t + hours(2), dateshift(t, 'start', 'month'), d = datetime(2024, 3, 1) - datetime(2024, 2, 1), days(d), year(t), month(t), weekday(t)
t > datetime(2024, 1, 1), string(t, 'yyyy-MM-dd'), r = t + calmonths(0:2), hours(minutes(90)), duration(1, 30, 0), NaT, isnat(NaT)
