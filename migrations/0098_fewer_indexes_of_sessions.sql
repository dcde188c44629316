-- Each start of a session and each report of it writes every index. The open sessions of a content serve both of these:
-- those without activity for 30 days began before them, and of the open ones few are completed.
drop index content_sessions_open_by_activity;
drop index content_sessions_running;
