% oracle: Octave has no datetime
% dialect: matlab
t = datetime(2024, 2, 28); disp(t + days(2)); d = datetime(2024, 3, 1) - t; disp(days(d)); disp(year(t)); disp(hours(duration(1, 30, 0))); disp(minutes(90)); disp(t < datetime(2025, 1, 1));
