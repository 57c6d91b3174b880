function tolerance = AbsoluteTolerance(value)
% How far a value may be off, for IsEqualTo(x, 'Within', tolerance).
tolerance = matlab.unittest.internal.Tolerance('AbsTol', value);
end
