classdef NAMETest < matlab.unittest.TestCase
    methods (Test)
        function energyIsTheSumOfSquares(testCase)
            x = linspace(-1, 1, 7)';
            testCase.verifyEqual(NAME_energy(x, 2), sum(NAME_wave(x, 2).^2), AbsTol=1e-15)
        end

        function emptyIsRefused(testCase)
            testCase.verifyError(@() NAME_label([]), 'NAME:label:empty')
        end
    end
end
