function elements = AnyElementOf(values)
% For verifyThat: at least one element of an array satisfies the constraint.
elements = matlab.unittest.internal.Elements(num2cell(values), @any);
end
