classdef (Abstract) Strict < handle
    % The checks of matlab.unittest.TestCase that end the test where they fail.
    methods
        function assertEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyEqual', varargin{:});
        end

        function assertNotEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNotEqual', varargin{:});
        end

        function assertTrue(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyTrue', varargin{:});
        end

        function assertFalse(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyFalse', varargin{:});
        end

        function assertEmpty(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyEmpty', varargin{:});
        end

        function assertNotEmpty(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNotEmpty', varargin{:});
        end

        function assertSize(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifySize', varargin{:});
        end

        function assertLength(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyLength', varargin{:});
        end

        function assertNumElements(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNumElements', varargin{:});
        end

        function assertClass(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyClass', varargin{:});
        end

        function assertInstanceOf(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyInstanceOf', varargin{:});
        end

        function assertGreaterThan(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyGreaterThan', varargin{:});
        end

        function assertGreaterThanOrEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyGreaterThanOrEqual', varargin{:});
        end

        function assertLessThan(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyLessThan', varargin{:});
        end

        function assertLessThanOrEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyLessThanOrEqual', varargin{:});
        end

        function assertSubstring(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifySubstring', varargin{:});
        end

        function assertMatches(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyMatches', varargin{:});
        end

        function assertSameHandle(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifySameHandle', varargin{:});
        end

        function assertNotSameHandle(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNotSameHandle', varargin{:});
        end

        function assertReturnsTrue(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyReturnsTrue', varargin{:});
        end

        function assertError(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyError', varargin{:});
        end

        function assertWarning(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyWarning', varargin{:});
        end

        function assertWarningFree(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyWarningFree', varargin{:});
        end

        function assertThat(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyThat', varargin{:});
        end

        function assertFail(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyFail', varargin{:});
        end
    end

    methods
        function fatalAssertEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyEqual', varargin{:});
        end

        function fatalAssertTrue(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyTrue', varargin{:});
        end

        function fatalAssertFalse(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyFalse', varargin{:});
        end

        function fatalAssertEmpty(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyEmpty', varargin{:});
        end

        function fatalAssertNotEmpty(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNotEmpty', varargin{:});
        end

        function fatalAssertClass(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyClass', varargin{:});
        end

        function fatalAssertThat(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyThat', varargin{:});
        end

        function fatalAssertFail(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyFail', varargin{:});
        end

        function fatalAssertNotEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNotEqual', varargin{:});
        end

        function fatalAssertSize(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifySize', varargin{:});
        end

        function fatalAssertLength(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyLength', varargin{:});
        end

        function fatalAssertNumElements(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNumElements', varargin{:});
        end

        function fatalAssertInstanceOf(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyInstanceOf', varargin{:});
        end

        function fatalAssertGreaterThan(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyGreaterThan', varargin{:});
        end

        function fatalAssertGreaterThanOrEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyGreaterThanOrEqual', varargin{:});
        end

        function fatalAssertLessThan(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyLessThan', varargin{:});
        end

        function fatalAssertLessThanOrEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyLessThanOrEqual', varargin{:});
        end

        function fatalAssertSubstring(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifySubstring', varargin{:});
        end

        function fatalAssertMatches(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyMatches', varargin{:});
        end

        function fatalAssertSameHandle(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifySameHandle', varargin{:});
        end

        function fatalAssertNotSameHandle(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyNotSameHandle', varargin{:});
        end

        function fatalAssertReturnsTrue(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyReturnsTrue', varargin{:});
        end

        function fatalAssertError(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyError', varargin{:});
        end

        function fatalAssertWarning(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyWarning', varargin{:});
        end

        function fatalAssertWarningFree(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssertionFailed', 'verifyWarningFree', varargin{:});
        end
    end

    methods
        function assumeEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyEqual', varargin{:});
        end

        function assumeTrue(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyTrue', varargin{:});
        end

        function assumeFalse(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyFalse', varargin{:});
        end

        function assumeEmpty(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyEmpty', varargin{:});
        end

        function assumeNotEmpty(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyNotEmpty', varargin{:});
        end

        function assumeClass(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyClass', varargin{:});
        end

        function assumeThat(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyThat', varargin{:});
        end

        function assumeFail(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyFail', varargin{:});
        end

        function assumeNotEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyNotEqual', varargin{:});
        end

        function assumeSize(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifySize', varargin{:});
        end

        function assumeLength(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyLength', varargin{:});
        end

        function assumeNumElements(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyNumElements', varargin{:});
        end

        function assumeInstanceOf(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyInstanceOf', varargin{:});
        end

        function assumeGreaterThan(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyGreaterThan', varargin{:});
        end

        function assumeGreaterThanOrEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyGreaterThanOrEqual', varargin{:});
        end

        function assumeLessThan(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyLessThan', varargin{:});
        end

        function assumeLessThanOrEqual(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyLessThanOrEqual', varargin{:});
        end

        function assumeSubstring(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifySubstring', varargin{:});
        end

        function assumeMatches(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyMatches', varargin{:});
        end

        function assumeSameHandle(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifySameHandle', varargin{:});
        end

        function assumeNotSameHandle(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyNotSameHandle', varargin{:});
        end

        function assumeReturnsTrue(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyReturnsTrue', varargin{:});
        end

        function assumeError(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyError', varargin{:});
        end

        function assumeWarning(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyWarning', varargin{:});
        end

        function assumeWarningFree(testCase, varargin)
            testCase.strictly('MATLAB:unittest:AssumptionFailed', 'verifyWarningFree', varargin{:});
        end
    end
end
