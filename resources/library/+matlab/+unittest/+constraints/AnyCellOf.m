function elements = AnyCellOf(values)
% For verifyThat: the content of at least one element of a cell array satisfies the constraint.
elements = matlab.unittest.internal.Elements(values, @any);
end
