function elements = EveryElementOf(values)
% For verifyThat: every element of an array satisfies the constraint.
elements = matlab.unittest.internal.Elements(num2cell(values), @all);
end
