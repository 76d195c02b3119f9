-- SPDX-License-Identifier: Apache-2.0
-- Asks limend about each request: http-request lua.limen
local url = "http://127.0.0.1:8443/v1/gate/forward"
local kept = { ["content-length"] = true, ["transfer-encoding"] = true, ["expect"] = true,
               ["connection"] = true, ["upgrade"] = true, ["te"] = true, ["trailer"] = true }
local told = { ["retry-after"] = "retry", ["ratelimit"] = "rate", ["ratelimit-policy"] = "policy",
               ["x-limen-classifiers"] = "classifiers", ["x-limen-priority"] = "priority" }

core.register_action("limen", { "http-req" }, function(txn)
    local headers = {}
    for name, values in pairs(txn.http:req_get_headers()) do
        if not kept[name] and name:sub(1, 12) ~= "x-forwarded-" then
            headers[name] = {}
            for i = 0, #values do headers[name][i + 1] = values[i] end
        end
    end
    headers["x-forwarded-method"] = { txn.f:method() }
    headers["x-forwarded-uri"] = { txn.f:pathq() }
    headers["x-forwarded-for"] = { txn.f:src() }
    local ok, answer = pcall(function()
        return core.httpclient():get{ url = url, headers = headers, timeout = 500 }
    end)
    local status = ok and answer and answer.status or 0
    if status < 200 or status >= 500 then status = 503 end
    txn:set_var("txn.limen", status)
    for name, variable in pairs(told) do
        local values = ok and answer and answer.headers and answer.headers[name]
        if values then txn:set_var("txn.limen_" .. variable, values[0]) end
    end
end, 0)
