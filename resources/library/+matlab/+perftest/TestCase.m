classdef (Abstract) TestCase < matlab.unittest.TestCase
    % Tests of speed. runtests runs what they measure once and says whether it passed.
    %   testCase.startMeasuring, testCase.stopMeasuring: around the code that is measured.
    %   while testCase.keepMeasuring, ..., end: around code too fast for that.
    properties (Access = private)
        Measuring = false
        Kept = false
    end

    methods
        function startMeasuring(testCase, label) %#ok<INUSD>
            % Measure from here on; a label tells several measurements of a test apart.
            if testCase.Measuring
                error('MATLAB:perftest:TestCase:AlreadyStarted', ...
                    'startMeasuring is called twice without stopMeasuring between.');
            end
            testCase.Measuring = true;
        end

        function stopMeasuring(testCase, label) %#ok<INUSD>
            % Measure up to here.
            if ~testCase.Measuring
                error('MATLAB:perftest:TestCase:NotStarted', ...
                    'stopMeasuring is called without startMeasuring before.');
            end
            testCase.Measuring = false;
        end

        function goesOn = keepMeasuring(testCase, label) %#ok<INUSD>
            % True for the pass that is measured, false behind it.
            goesOn = ~testCase.Kept;
            testCase.Kept = goesOn;
        end
    end
end
