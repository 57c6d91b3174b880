function tolerance = RelativeTolerance(value)
% How far a value may be off as a part of what is expected, for IsEqualTo(x, 'Within', tolerance).
tolerance = matlab.unittest.internal.Tolerance('RelTol', value);
end
