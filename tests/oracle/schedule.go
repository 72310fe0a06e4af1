package main

import (
	"time"

	"github.com/robfig/cron/v3"
)

type textArgs struct {
	Text string `json:"text"`
}

func init() {
	register("cron", func(args textArgs) (any, error) {
		parser := cron.NewParser(cron.Minute | cron.Hour | cron.Dom | cron.Month | cron.Dow)
		parsed, err := parser.Parse(args.Text)
		if err != nil {
			return nil, err
		}
		schedule := parsed.(*cron.SpecSchedule)
		next := schedule.Next(time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC))
		return map[string]any{
			"fields": []uint64{schedule.Minute, schedule.Hour, schedule.Dom, schedule.Month, schedule.Dow},
			"comes":  !next.IsZero(),
		}, nil
	})
	register("duration", func(args textArgs) (any, error) {
		duration, err := time.ParseDuration(args.Text)
		return duration.Nanoseconds(), err
	})
	register("time_zone", func(args textArgs) (any, error) {
		_, err := time.LoadLocation(args.Text)
		return err == nil, nil
	})
}
