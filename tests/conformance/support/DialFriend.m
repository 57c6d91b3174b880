classdef DialFriend
    methods (Static)
        function tune(d), d.Tuned = d.Tuned + 1; d.hello, end
    end
end
