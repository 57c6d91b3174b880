classdef AmountData < event.EventData
    properties
        Amount
    end
    methods
        function data = AmountData(amount)
            data.Amount = amount;
        end
    end
end
