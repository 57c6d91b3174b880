classdef Dial < matlab.mixin.Copyable
    properties (SetObservable, AbortSet)
        Level = 1
        Checked = 1
    end
    properties (GetObservable)
        Read = 2
    end
    properties (SetAccess = {?DialFriend})
        Tuned = 0
    end
    properties (SetAccess = immutable)
        Made
    end
    properties (NonCopyable)
        Own = 5
    end
    events (NotifyAccess = private)
        Turned
    end
    events
        Clicked
    end
    methods
        function o = Dial(made)
            if nargin, o.Made = made; end
        end
        function set.Checked(o, v)
            fprintf('set.Checked %d\n', v);
            o.Checked = v;
        end
        function remake(o), o.Made = 0; end
        function turn(o), notify(o, 'Turned'), end
    end
    methods (Access = {?DialFriend})
        function hello(~), disp('hello'), end
    end
end
