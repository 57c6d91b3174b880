classdef Fixture < handle
    % What a test needs around it: setup when it is applied, teardown when the test is over.
    properties (Hidden)
        Actions = {}
    end

    methods
        function setup(~)
        end

        function teardown(~)
        end

        function addTeardown(fixture, action, varargin)
            % Call action(varargin{:}) when the fixture is taken down.
            fixture.Actions{end + 1} = @() action(varargin{:});
        end
    end

    methods (Sealed)
        function applied = applyFixture(fixture, applied)
            % Set another fixture up; it is taken down when this one is.
            applied.setup();
            fixture.addTeardown(@() applied.leave());
        end
    end

    methods (Hidden)
        function leave(fixture)
            % Take the fixture down.
            fixture.teardown();
            while ~isempty(fixture.Actions)
                action = fixture.Actions{end};
                fixture.Actions(end) = [];
                action();
            end
        end
    end
end
