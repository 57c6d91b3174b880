classdef IndexingContext
    % Where a list of values is indexed: in a statement, in an expression, or as the target of an assignment.
    enumeration
        Statement
        Expression
        Assignment
    end
end
