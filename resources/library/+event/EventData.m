classdef EventData < handle
    % What the callbacks of an event are told: derive from it to tell more.
    %   notify(obj, 'Event', data) gives the data its source and the name of the event.
    properties (SetAccess = private)
        Source
        EventName
    end
end
